/** Components of a severity assessment, each 0 to 100 on a logarithmic scale: 16 points a factor of ten. */
export const SEVERITY_COMPONENTS = [
  'human',
  'economic',
  'infrastructure',
  'geographic',
  'geopolitical',
  'duration',
] as const
export type SeverityComponent = (typeof SEVERITY_COMPONENTS)[number]

/** Levels that a score falls into, mildest first. */
export const SCORED_LEVELS = ['SEV-0', 'SEV-1', 'SEV-2', 'SEV-3', 'SEV-4', 'SEV-5'] as const
export type ScoredLevel = (typeof SCORED_LEVELS)[number]

/** Levels of a severity assessment. UNKNOWN is not SEV-0: too little is known to assess. */
export const SEVERITY_LEVELS = [...SCORED_LEVELS, 'UNKNOWN'] as const
export type SeverityLevel = (typeof SEVERITY_LEVELS)[number]

/** Observed and forecast assessments are separate series. */
export const ASSESSMENT_TYPES = ['observed', 'forecast'] as const
export type AssessmentType = (typeof ASSESSMENT_TYPES)[number]

/** Quality of a published value of a severity index. */
export const SEVERITY_QUALITY_STATES = ['valid', 'degraded', 'suspended'] as const
export type SeverityQualityState = (typeof SEVERITY_QUALITY_STATES)[number]

/** Colors of a hazard feed's alert, mildest first. */
export const ALERT_LEVELS = ['green', 'yellow', 'orange', 'red'] as const
export type AlertLevel = (typeof ALERT_LEVELS)[number]
