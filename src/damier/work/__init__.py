"""The processes and clusters that play games."""
