import type { SettingFlags, Settings } from './configuration.ts'
import type { Output } from './output.ts'

/** Options of every command, before or after its name. */
export type GlobalOptions = SettingFlags & { readonly json?: boolean }

/** One run of one command. */
export type Invocation<Options> = {
  readonly args: readonly string[]
  readonly options: Options & GlobalOptions
  readonly settings: Settings
  readonly output: Output
  readonly signal: AbortSignal
}
