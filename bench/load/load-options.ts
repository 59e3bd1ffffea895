import { lane, whole } from '../../tools/reliability/lane.ts'

/** Options of a load run. */
export type LoadOptions = {
  readonly seconds: number
  /** Duration of an unmeasured warm-up at the same rate, while the started programs are still being compiled. */
  readonly warm_up_seconds: number
  /** Orders per second, sent whether or not earlier ones were answered. */
  readonly rate: number
  readonly seed: string
  /** Number of traded markets. */
  readonly markets: number
  /** Sockets that each follow one account, or the trades of one market. */
  readonly private_streams: number
  readonly public_streams: number
  /** Settle the trades, in a process beside engine and API. */
  readonly settle: boolean
  /** Kill engine, API and database half-way by signal 9, and restart them. */
  readonly kill: boolean
}

const SANDBOX_MARKETS = 4
/** With fewer markets, sending each trade to all of its market's followers would dominate the measurement. */
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
    .option('--seconds <n>', 'measured duration', whole(1), 300)
    .option('--warm-up-seconds <n>', 'unmeasured duration before it, at the same rate', whole(0), 15)
    .option('--rate <n>', 'orders per second', whole(1), 1000)
    .option('--seed <text>', 'seed of the orders', 'tide')
    .option(
      '--markets <n>',
      `traded markets (default: ${SANDBOX_MARKETS}, with public streams ${FOLLOWED_MARKETS})`,
      whole(1),
    )
    .option('--private-streams <n>', 'sockets that follow an account', whole(0), 0)
    .option('--public-streams <n>', 'sockets that follow a market', whole(0), 0)
    .option('--settle', 'settle the trades', false)
    .option('--kill', 'kill engine, API and database half-way by signal 9', false)
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
