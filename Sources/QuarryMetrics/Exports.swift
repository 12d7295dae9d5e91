// Slow statements have plans.
@_exported public import QuarryPlans
