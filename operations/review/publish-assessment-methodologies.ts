import type { Stamp, Warehouse } from '../../warehouse/warehouse.ts'
import { RATING_METHODOLOGY_DOCUMENT } from '../rating/rating-methodology.ts'
import { SEVERITY_METHODOLOGY_DOCUMENT } from '../severity/severity-methodology.ts'
import { publishMethodologies } from './assessment-methodology.ts'

/** Publishes the methodologies that records of ratings and severity name, before the first of either. */
export function publishAssessmentMethodologies(warehouse: Warehouse, stamp: Stamp): Promise<void> {
  return publishMethodologies(warehouse, [RATING_METHODOLOGY_DOCUMENT, SEVERITY_METHODOLOGY_DOCUMENT], stamp)
}
