import type { QUALITY_STATES } from '../../protocol/enums.ts'

export type QualityState = (typeof QUALITY_STATES)[number]
