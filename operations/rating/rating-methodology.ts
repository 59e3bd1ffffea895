import { parameterTexts } from '../../pipelines/evidence/parameter-texts.ts'
import { RATING_METHODOLOGY, RATING_PARAMETERS } from '../../pipelines/rating/methodology.ts'
import { RATING_TEXT_SHA256 } from '../../pipelines/rating/methodology-text.ts'
import type { CodedMethodology } from '../review/assessment-methodology.ts'

/** The methodology that ratings name. */
export const RATING_METHODOLOGY_DOCUMENT: CodedMethodology = {
  ...RATING_METHODOLOGY,
  subject: 'market_rating',
  name: 'Market ratings',
  parameters: parameterTexts(RATING_PARAMETERS),
  text_sha256: RATING_TEXT_SHA256,
  document: new URL('../../docs/methodology/rating-1.md', import.meta.url),
}
