import { Command, type CommanderError, Help, type Option } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import type { OutputStreams } from '../service/output.ts'
import type { CommandContext } from './command.ts'
import { accountCommand } from './commands/account.ts'
import { adjustCommand } from './commands/adjust.ts'
import { apiCommand } from './commands/api.ts'
import { assetCommand } from './commands/asset.ts'
import { auditCommand } from './commands/audit.ts'
import { backfillCommand } from './commands/backfill.ts'
import { backlogCommand } from './commands/backlog.ts'
import { backupCommand } from './commands/backup.ts'
import { compactCommand } from './commands/compact.ts'
import { completionCommand } from './commands/completion.ts'
import { configCommand } from './commands/config.ts'
import { debugCommand } from './commands/debug.ts'
import { describeCommand } from './commands/describe.ts'
import { doctorCommand } from './commands/doctor.ts'
import { eligibilityCommand } from './commands/eligibility.ts'
import { engineCommand } from './commands/engine.ts'
import { explainCommand } from './commands/explain.ts'
import { feesCommand } from './commands/fees.ts'
import { importCommand } from './commands/import.ts'
import { indexCommand } from './commands/index-commands.ts'
import { listingCommand } from './commands/listing.ts'
import { logCommand } from './commands/log.ts'
import { marketCommand } from './commands/market.ts'
import { operatorCommand } from './commands/operator.ts'
import { ratingCommand } from './commands/rating.ts'
import { recordCommand } from './commands/record.ts'
import { researchCommand } from './commands/research.ts'
import { restoreCommand } from './commands/restore.ts'
import { sandboxCommand } from './commands/sandbox.ts'
import { schedulesCommand } from './commands/schedules.ts'
import { settlementCommand } from './commands/settlement.ts'
import { severityCommand } from './commands/severity.ts'
import { simulateCommand } from './commands/simulate.ts'
import { sqlCommand } from './commands/sql.ts'
import { summarizeCommand } from './commands/summarize.ts'
import { tablesCommand } from './commands/tables.ts'
import { tailCommand } from './commands/tail.ts'
import { upCommand } from './commands/up.ts'
import { upgradeCommand } from './commands/upgrade.ts'
import { vacuumCommand } from './commands/vacuum.ts'
import { verifyCommand } from './commands/verify.ts'
import { webhookCommand } from './commands/webhook.ts'
import { workerCommand } from './commands/worker.ts'
import { governanceCommand } from './governance/governance-commands.ts'
import { homeOption } from './options.ts'
import { usageError } from './usage-error.ts'

const COMMANDS = [
  upCommand,
  apiCommand,
  engineCommand,
  workerCommand,
  schedulesCommand,
  backlogCommand,
  importCommand,
  backfillCommand,
  recordCommand,
  simulateCommand,
  sqlCommand,
  explainCommand,
  describeCommand,
  summarizeCommand,
  tablesCommand,
  tailCommand,
  indexCommand,
  ratingCommand,
  severityCommand,
  governanceCommand,
  eligibilityCommand,
  researchCommand,
  accountCommand,
  marketCommand,
  listingCommand,
  settlementCommand,
  assetCommand,
  feesCommand,
  adjustCommand,
  sandboxCommand,
  operatorCommand,
  webhookCommand,
  auditCommand,
  logCommand,
  verifyCommand,
  doctorCommand,
  debugCommand,
  compactCommand,
  vacuumCommand,
  backupCommand,
  restoreCommand,
  upgradeCommand,
  configCommand,
  completionCommand,
]

/** Describes an option in `--help`, and says if it is required, as docs/cli.md does. */
function optionDescription(option: Option): string {
  const text = new Help().optionDescription(option)
  return option.mandatory ? `${text} (required)` : text
}

/** Builds the `tidemark` program. Commander neither exits nor prints errors; run-cli.ts does. */
export function buildProgram(context: CommandContext, streams: OutputStreams): Command {
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
  for (const command of COMMANDS) program.addCommand(command(context))
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
