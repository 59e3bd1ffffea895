import { lane, whole } from '../../tools/reliability/lane.ts'

/** Options of a load run. */
export type LoadOptions = {
  readonly seconds: number
  /** Sent before, at the same rate, and not measured: programs that have just started are compiled while they run. */
  readonly warm_up_seconds: number
  /** Orders a second, sent whether or not the ones before were answered. */
  readonly rate: number
  readonly seed: string
  /** Markets that are traded. */
  readonly markets: number
  /** Sockets that follow the account that each is of, and the trades of one market each. */
  readonly private_streams: number
  readonly public_streams: number
  /** Settle what is traded, by a process beside engine and API. */
  readonly settle: boolean
  /** End engine, API and database half-way by signal 9, and start them again. */
  readonly kill: boolean
}

const SANDBOX_MARKETS = 4
/** Every trade goes to all who follow its market: over few markets that alone would be measured. */
const FOLLOWED_MARKETS = 100

/** Options as commander parses them. */
type Given = Pick<LoadOptions, 'seconds' | 'rate' | 'seed' | 'settle' | 'kill'> & {
  readonly markets?: number
  readonly warmUpSeconds: number
  readonly privateStreams: number
  readonly publicStreams: number
}

/** Parses `--seconds 30 --rate 500 --private-streams 1000 --public-streams 1000 --settle`; ends the process on wrong usage. */
export function loadOptions(argv: readonly string[], command = lane('load')): LoadOptions {
  const given = command
    .option('--seconds <n>', 'that are measured', whole(1), 300)
    .option('--warm-up-seconds <n>', 'before, at the same rate', whole(0), 15)
    .option('--rate <n>', 'orders a second', whole(1), 1000)
    .option('--seed <text>', 'of the orders', 'tide')
    .option(
      '--markets <n>',
      `that are traded (default: ${SANDBOX_MARKETS}, with public streams ${FOLLOWED_MARKETS})`,
      whole(1),
    )
    .option('--private-streams <n>', 'sockets that follow an account', whole(0), 0)
    .option('--public-streams <n>', 'sockets that follow a market', whole(0), 0)
    .option('--settle', 'settle what is traded', false)
    .option('--kill', 'end engine, API and database half-way by signal 9', false)
    .parse([...argv], { from: 'user' })
    .opts<Given>()
  const { seconds, warmUpSeconds: warm_up_seconds, rate, seed, settle, kill } = given
  const { privateStreams: private_streams, publicStreams: public_streams } = given
  const { markets = public_streams > 0 ? FOLLOWED_MARKETS : SANDBOX_MARKETS } = given
  if (kill && private_streams + public_streams > 0)
    command.error(
      'error: kill is given with streams; allowed: one of them, because the sockets end with the API process',
    )
  return { seconds, warm_up_seconds, rate, seed, markets, private_streams, public_streams, settle, kill }
}
