"""A graph that returns its input."""


def graph(state):
    return {"messages": state["messages"]}
