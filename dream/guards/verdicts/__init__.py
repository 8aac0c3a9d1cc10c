"""What a model's verdict on an entry may lead to: rules that hold whatever the model says."""
