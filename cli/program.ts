import { Command, type CommanderError, Help, type Option } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import type { OutputStreams } from '../service/output.ts'
import type { CommandContext } from './command.ts'
import { homeOption } from './options.ts'
import { usageError } from './usage-error.ts'

/** Commands by name, in the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<(context: CommandContext) => Command>>> = {
  up: async () => (await import('./commands/up.ts')).upCommand,
  api: async () => (await import('./commands/api.ts')).apiCommand,
  engine: async () => (await import('./commands/engine.ts')).engineCommand,
  worker: async () => (await import('./commands/worker.ts')).workerCommand,
  schedules: async () => (await import('./commands/schedules.ts')).schedulesCommand,
  backlog: async () => (await import('./commands/backlog.ts')).backlogCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  backfill: async () => (await import('./commands/backfill.ts')).backfillCommand,
  record: async () => (await import('./commands/record.ts')).recordCommand,
  simulate: async () => (await import('./commands/simulate.ts')).simulateCommand,
  sql: async () => (await import('./commands/sql.ts')).sqlCommand,
  explain: async () => (await import('./commands/explain.ts')).explainCommand,
  describe: async () => (await import('./commands/describe.ts')).describeCommand,
  summarize: async () => (await import('./commands/summarize.ts')).summarizeCommand,
  tables: async () => (await import('./commands/tables.ts')).tablesCommand,
  tail: async () => (await import('./commands/tail.ts')).tailCommand,
  index: async () => (await import('./commands/index-commands.ts')).indexCommand,
  rating: async () => (await import('./commands/rating.ts')).ratingCommand,
  severity: async () => (await import('./commands/severity.ts')).severityCommand,
  governance: async () => (await import('./governance/governance-commands.ts')).governanceCommand,
  eligibility: async () => (await import('./commands/eligibility.ts')).eligibilityCommand,
  research: async () => (await import('./commands/research.ts')).researchCommand,
  account: async () => (await import('./commands/account.ts')).accountCommand,
  market: async () => (await import('./commands/market.ts')).marketCommand,
  listing: async () => (await import('./commands/listing.ts')).listingCommand,
  settlement: async () => (await import('./commands/settlement.ts')).settlementCommand,
  asset: async () => (await import('./commands/asset.ts')).assetCommand,
  fees: async () => (await import('./commands/fees.ts')).feesCommand,
  adjust: async () => (await import('./commands/adjust.ts')).adjustCommand,
  sandbox: async () => (await import('./commands/sandbox.ts')).sandboxCommand,
  operator: async () => (await import('./commands/operator.ts')).operatorCommand,
  webhook: async () => (await import('./commands/webhook.ts')).webhookCommand,
  audit: async () => (await import('./commands/audit.ts')).auditCommand,
  log: async () => (await import('./commands/log.ts')).logCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  debug: async () => (await import('./commands/debug.ts')).debugCommand,
  compact: async () => (await import('./commands/compact.ts')).compactCommand,
  vacuum: async () => (await import('./commands/vacuum.ts')).vacuumCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/restore.ts')).restoreCommand,
  upgrade: async () => (await import('./commands/upgrade.ts')).upgradeCommand,
  config: async () => (await import('./commands/config.ts')).configCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
}

/** Describes an option in `--help`, and says if it is required, as docs/cli.md does. */
function optionDescription(option: Option): string {
  const text = new Help().optionDescription(option)
  return option.mandatory ? `${text} (required)` : text
}

/**
 * Builds the `tidemark` program. Commander neither exits nor prints errors; run-cli.ts does.
 * @param argv  arguments; where the first is the name of a command, only that command is loaded and built
 */
export async function buildProgram(
  context: CommandContext,
  streams: OutputStreams,
  [first = '']: readonly string[] = [],
): Promise<Command> {
  const program = new Command('tidemark')
    .description(packageJson.description)
    .version(packageJson.version, '--version', 'print the version')
    .addOption(homeOption())
    .option(
      '--warehouse <dir>',
      'folder of the warehouse, or s3://bucket/prefix (default: warehouse in the home folder)',
    )
    .option('--json', 'print JSON (NDJSON where noted) on standard output')
    .helpOption('-h, --help', 'show help')
    .configureHelp({ showGlobalOptions: true, optionDescription })
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => streams.stderr.write(text),
      outputError: () => undefined,
    })
  const names = first === '--version' ? [] : Object.hasOwn(COMMANDS, first) ? [first] : Object.keys(COMMANDS)
  for (const name of names) program.addCommand((await COMMANDS[name]!())(context))
  return inheritEverywhere(program, program)
}

/** Applies help style, output and exit handling to all commands below `command`. */
function inheritEverywhere(command: Command, program: Command): Command {
  command.copyInheritedSettings(program)
  command.exitOverride((error) => throwUnlessAnswered(command, error))
  for (const child of command.commands) inheritEverywhere(child, program)
  return command
}

/** Help and version end normally; everything else is wrong usage. */
function throwUnlessAnswered(command: Command, error: CommanderError): never {
  if (error.exitCode === 0) throw error
  throw usageError(command, error)
}
