import { Option } from 'commander'
import { ASSESSMENT_TYPES } from '../../vocabulary/severity.ts'

/** Option for one of the two series, which are never shown together. */
export const typeOption = () => new Option('--type <type>', 'series').choices(ASSESSMENT_TYPES).default('observed')
