"""What a person reads, marks, has done and takes back: consolidations by hand, and the folder that they change."""
