import { Option } from 'commander'

/** Option for one of the two series, which are never shown together. */
export const typeOption = () =>
  new Option('--type <type>', 'series').choices(['observed', 'forecast']).default('observed')
