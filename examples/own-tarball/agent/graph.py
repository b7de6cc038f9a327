"""A graph that answers with what it was told."""


def graph(state):
    return {"messages": state["messages"]}
