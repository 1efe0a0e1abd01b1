"""Papers made again, and the measurements that `damier bench` prints."""
