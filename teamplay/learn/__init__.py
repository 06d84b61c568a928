"""Which table does what is asked, which is the shortest, and when is there none?"""
