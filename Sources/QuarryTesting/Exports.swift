// Expectations return plans.
@_exported public import QuarryPlans
