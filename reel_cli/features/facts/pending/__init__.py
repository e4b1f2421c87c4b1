"""Facts that wait for a person: changed values, values about the persona, and two that do not agree."""
