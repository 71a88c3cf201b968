"""Pictures of the labels of models: what an editor saw on a unit, for the person who approves the figures.

They are private: only people at the desk see them, no release contains them, and nothing is read from them.
"""
