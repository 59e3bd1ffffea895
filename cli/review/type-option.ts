import { Option } from 'commander'

/** Observed and forecast assessments are series of their own and never shown together. */
export const typeOption = () =>
  new Option('--type <type>', 'which series').choices(['observed', 'forecast']).default('observed')
