from hypothesis import settings

# The first call of a kernel compiles it, which is no reason to fail; and a test that fails, fails every time.
settings.register_profile("reference", deadline=None, derandomize=True, database=None)
settings.load_profile("reference")
