"""Experiments from papers, and the measurements that `damier bench` prints."""
