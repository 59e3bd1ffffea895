import { parameterTexts } from '../../pipelines/evidence/parameter-texts.ts'
import { SEVERITY_METHODOLOGY, SEVERITY_PARAMETERS } from '../../pipelines/severity/methodology.ts'
import { SEVERITY_TEXT_SHA256 } from '../../pipelines/severity/methodology-text.ts'
import { SEVERITY_INDEX_PARAMETERS } from '../../pipelines/severity/severity-index.ts'
import type { CodedMethodology } from '../review/assessment-methodology.ts'

/** The methodology that severity assessments and severity indexes name. */
export const SEVERITY_METHODOLOGY_DOCUMENT: CodedMethodology = {
  ...SEVERITY_METHODOLOGY,
  subject: 'severity_assessment',
  name: 'Severity of events',
  parameters: parameterTexts({ ...SEVERITY_PARAMETERS, index: SEVERITY_INDEX_PARAMETERS }),
  text_sha256: SEVERITY_TEXT_SHA256,
  document: new URL('../../docs/methodology/severity-1.md', import.meta.url),
}
