"""What goes in and comes out of the service, one file a resource.

In: JSON of a request. Out: JSON of an answer. The page's types are generated from these.
"""
