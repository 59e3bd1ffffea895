import { InvalidArgumentError, Option } from 'commander'
import { durationMicros } from '../primitives/instants.ts'
import { type RelativeTo, typedDuration, typedInstant } from '../primitives/typed-time.ts'
import { wallClock } from '../primitives/wall-clock.ts'
import { IMPORT_CLOCKS } from '../vocabulary/ingest.ts'

/** Options shared by several commands. */

export const clockOption = () =>
  new Option('--clock <clock>', "publication time: wall = now, recorded = the archive's own")
    .choices(IMPORT_CLOCKS)
    .default('wall')

/** Creates an option whose value is an instant as people type it; the command gets RFC 3339 text. */
export function instantOption(flags: string, description: string, relative: RelativeTo = 'past'): Option {
  const option = new Option(flags, description)
  return option.argParser((text: string) => typedInstant(text, option.long!, wallClock(), relative))
}

/** Creates an option whose value is a duration as people type it; the command gets ISO 8601 text. */
export function durationOption(flags: string, description: string): Option {
  const option = new Option(flags, description)
  return option.argParser((text: string) => typedDuration(text, option.long!))
}

/** Creates an option whose value is a duration as people type it; the command gets microseconds. */
export function microsOption(flags: string, description: string): Option {
  const option = new Option(flags, description)
  return option.argParser((text: string) => durationMicros(typedDuration(text, option.long!)))
}

/** Meaning of INDEX@VERSION and FILE@VERSION, in the words of docs/reports.md. */
export const VERSION_TEXT =
  '@VERSION means up to that version: those before it rule until it begins, and none follows it'

export const fromOption = () => instantOption('--from <instant>', 'first instant, inclusive')
export const toOption = () => instantOption('--to <instant>', 'last instant, exclusive')
export const atOption = () => instantOption('--at <instant>', 'use data received by this instant (default: now)')
export const asOfOption = () => instantOption('--as-of <instant>', 'answer as known at this instant (default: now)')
/** Option of every command: a folder of its own brings its own warehouse. */
export const homeOption = () => new Option('--home <dir>', 'folder of all data (default: $TIDEMARK_HOME or .tidemark)')
export const temporalOption = () =>
  new Option('--temporal', 'run on a worker through Temporal, so it survives the end of this process')

/** Parses an option's whole number from 0 to 999999999. */
export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Allowed: a whole number from 0 to 999999999.')
  return +text
}

/** Parses an option's port. */
export function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || +text > 65_535) throw new InvalidArgumentError('Allowed: 0 to 65535.')
  return +text
}

/** Returns the option of a process for its admin address. @param what begins with a noun */
export const metricsPortOption = (what: string) =>
  new Option('--metrics-port <port>', `${what}; 0 picks a free one (default: 0)`).argParser(parsePort)

/** Writes a host as addresses have it: IPv6 in brackets. */
export const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Parses an option's address; port 0 picks a free one. */
export function parseAddress(text: string): string {
  const port = /^(?:[^\s:]+|\[[0-9a-f:]+\]):(\d{1,5})$/i.exec(text)?.[1] ?? ''
  if (port === '' || +port > 65_535) throw new InvalidArgumentError('Allowed: host:port.')
  return text
}

const UNITS: Readonly<Record<string, number>> = { '': 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }

/** Parses a size such as 64MB; units are decimal. */
export function parseSize(text: string): number {
  const [, digits, unit] = /^(\d{1,9})\s?(|kB|MB|GB|TB)$/.exec(text) ?? []
  if (digits === undefined) throw new InvalidArgumentError('Allowed: a whole number of bytes, kB, MB, GB or TB.')
  return Number(digits) * UNITS[unit!]!
}
