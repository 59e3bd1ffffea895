import { Option } from 'commander'
import { ASSESSMENT_TYPES } from '../../vocabulary/severity.ts'

/** Observed and forecast assessments are series of their own and never shown together. */
export const typeOption = () =>
  new Option('--type <type>', 'which series').choices(ASSESSMENT_TYPES).default('observed')
