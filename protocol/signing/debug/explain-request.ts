import { isServiceError } from '../../../primitives/errors.ts'
import { SIGNED_REQUESTS } from '../../limits.ts'
import { ACCESS_HEADER_FORMS, ACCESS_HEADERS, type AccessHeaders } from '../access-headers.ts'
import { type Cause, type Finding, finding } from './causes.ts'
import { checkedLine, type ExplainedSignature } from './report.ts'
import {
  expectedLines,
  HEX_SIGNATURE,
  LABELS,
  type Label,
  type LineGuess,
  lineGuesses,
  mistaken,
  plainSignature,
  type RequestLines,
  textGuesses,
  textOf,
} from './request-guesses.ts'
import type { SentRequest } from './sent.ts'

/** Returns whether a signature, as lower-case hex, is of a text; made with the public key, or with a secret that stays outside. */
export type TextCheck = (text: string, signature: string) => boolean

/** Facts with which more can be decided. */
export type RequestFacts = {
  /** Environment of the key. */
  readonly environment: string
  readonly check?: TextCheck | null
  /** Hex digits of a signature by the algorithm of the key; null: the algorithm is not known. */
  readonly signature_digits?: 64 | 128 | null
  /** Check under a key that a usual mistake makes of the secret. */
  readonly mistaken_check?: TextCheck | null
  /** Text that the caller signed. */
  readonly signed_text?: string | null
  /** Clock of the service, in Unix milliseconds. */
  readonly server_time_ms?: number | null
  /** Way in which the caller has an HMAC checked; left out: by hand. */
  readonly hmac_step?: string
}

type Headers = { readonly [K in keyof AccessHeaders]: string }

/** Explains the signature of a request: each line that must be signed, and what is wrong with what was signed. */
export function explainRequest(sent: SentRequest, facts: RequestFacts): ExplainedSignature {
  const headers = Object.fromEntries(
    Object.entries(ACCESS_HEADERS).map(([field, name]) => [field, sent.headers[name.toLowerCase()] ?? '']),
  ) as Headers
  const in_form = [...headerFindings(headers), ...algorithmFindings(headers, facts)]
  let lines: RequestLines
  try {
    lines = expectedLines(sent, headers, facts.environment)
  } catch (error) {
    if (!isServiceError(error)) throw error
    const findings = [finding('address_malformed', 'seen', error.message)]
    return { ...EMPTY, verdict: 'refused', code: error.code, findings }
  }
  const judged = judge(sent, headers, lines, facts)
  const known = judged.findings.filter(({ certainty }) => in_form.length === 0 || certainty !== 'possible')
  const findings = [...in_form, ...known, ...clockFindings(headers, facts)]
  return {
    ...EMPTY,
    verdict: verdictOf(findings, judged.matches),
    code: codeOf(findings, judged.matches),
    lines: linesBeside(lines, facts.signed_text ?? null),
    signed_text: textOf(lines),
    findings,
    next: nextStep(findings, judged.matches, facts),
  }
}

const EMPTY: ExplainedSignature = {
  kind: 'request',
  name: 'request',
  verdict: 'undecided',
  code: null,
  lines: [],
  signed_text: null,
  facts: {},
  findings: [],
  next: null,
}

function headerFindings(headers: Headers): readonly Finding[] {
  const names = Object.keys(ACCESS_HEADERS) as (keyof AccessHeaders)[]
  return names.flatMap((name) => {
    const [value, header, form] = [headers[name], ACCESS_HEADERS[name], ACCESS_HEADER_FORMS[name]]
    if (value === '') return [finding('header_missing', 'seen', header)]
    if (form !== undefined && !form.pattern.test(value))
      return [finding('header_malformed', 'seen', `${header} is ${JSON.stringify(value)}; accepted: ${form.allowed}`)]
    if (name === 'timestamp' && value.length !== MS_DIGITS)
      return [finding('timestamp_unit', 'seen', `${header} has ${value.length} digits; milliseconds have ${MS_DIGITS}`)]
    return name === 'signature' ? signatureForm(value) : []
  })
}

/** Digits of Unix milliseconds from 2001 to 2286. */
const MS_DIGITS = 13

function signatureForm(signature: string): readonly Finding[] {
  if (HEX_SIGNATURE.test(signature)) return []
  if (plainSignature(signature) !== null) return [finding('signature_written_otherwise', 'seen')]
  return [finding('signature_of_other_length', 'seen', `${signature.length} characters`)]
}

function algorithmFindings({ signature }: Headers, { signature_digits = null }: RequestFacts): readonly Finding[] {
  const digits = plainSignature(signature)?.length
  if (signature_digits === null || digits === undefined || digits === signature_digits) return []
  return [finding('algorithm_differs', 'seen', `it has ${digits} digits; the key needs ${signature_digits}`)]
}

type Judged = { readonly matches: boolean | null; readonly findings: readonly Finding[] }

/** Compares what can be compared: the signature if it can be checked, and the text that the caller signed. */
function judge(sent: SentRequest, headers: Headers, lines: RequestLines, facts: RequestFacts): Judged {
  const { signed_text = null, check = null } = facts
  const signature = plainSignature(headers.signature)
  const of_text = signed_text === null ? [] : textFindings(sent, lines, signed_text)
  if (check === null || signature === null) return { matches: null, findings: of_text }
  if (check(textOf(lines), signature)) return { matches: true, findings: [] }
  if (of_text.length > 0) return { matches: false, findings: of_text }
  if (signed_text !== null && facts.mistaken_check?.(signed_text, signature) !== true)
    return { matches: false, findings: [finding('other_key_or_text', 'seen', OTHER_KEY)] }
  return { matches: false, findings: guessed(sent, lines, signature, facts, check) }
}

const OTHER_KEY = 'the signed text is right, so another key or secret made the signature'

/** Looks for the mistake with which the signature verifies, then for two usual ones together. */
function guessed(
  sent: SentRequest,
  lines: RequestLines,
  signature: string,
  facts: RequestFacts,
  check: TextCheck,
): readonly Finding[] {
  const isSigned = (text: string) => check(text, signature)
  const guesses = lineGuesses(sent, lines)
  const guess = guesses.find((one) => isSigned(textOf(mistaken(lines, one))))
  if (guess !== undefined) return [provedLine(lines, guess)]
  const of_text = textCause(lines, isSigned)
  if (of_text !== null) return [of_text]
  if (facts.mistaken_check?.(textOf(lines), signature) === true) return [finding('secret_as_text', 'proved')]
  return guessedTwice(lines, guesses, isSigned) ?? [finding('other_key_or_text', 'possible')]
}

/** Looks for two mistakes at once: of each cause the likeliest form, with another line or with the form of the text. */
function guessedTwice(lines: RequestLines, guesses: readonly LineGuess[], isSigned: (text: string) => boolean) {
  const likeliest = guesses.filter(({ cause }, at) => guesses.findIndex((other) => other.cause === cause) === at)
  for (const [at, first] of likeliest.entries()) {
    const changed = mistaken(lines, first)
    for (const second of likeliest.slice(at + 1)) {
      if (second.label !== first.label && isSigned(textOf(mistaken(changed, second))))
        return [provedLine(lines, first), provedLine(lines, second)]
    }
    const of_text = textCause(changed, isSigned)
    if (of_text !== null) return [provedLine(lines, first), of_text]
  }
  return null
}

function textCause(lines: RequestLines, isSigned: (text: string) => boolean): Finding | null {
  const found = textGuesses(lines).find(([, texts]) => texts.some(isSigned))
  return found === undefined ? null : finding(found[0], 'proved')
}

function provedLine(lines: RequestLines, { cause, label, value }: LineGuess): Finding {
  return finding(cause, 'proved', beside(label, lines[label], value))
}

function beside(label: string, expected: string, signed: string): string {
  return `${label}: expected ${JSON.stringify(expected)}, signed ${JSON.stringify(signed)}`
}

/** Names what is wrong with a signed text: its form, else each line that differs. */
function textFindings(sent: SentRequest, lines: RequestLines, signed_text: string): readonly Finding[] {
  if (signed_text === textOf(lines)) return []
  const of_form = textGuesses(lines).find(([, texts]) => texts.includes(signed_text))
  if (of_form !== undefined)
    return [finding(of_form[0], 'seen', of_form[0] === 'newline_at_end' ? 'or only its file does' : undefined)]
  const signed = signedLines(signed_text)
  const guesses = lineGuesses(sent, lines)
  const found = LABELS.flatMap((label) => {
    const value = signed[label]
    if (value === undefined || value === lines[label]) return []
    const known = guesses.find((guess) => guess.label === label && guess.value === value)
    const cause = known?.cause ?? (isAddress(label, value) ? 'path_with_host' : DIFFERS[label])
    return [finding(cause, 'seen', beside(label, lines[label], value))]
  })
  return found.length > 0 ? found : [finding(formOf(lines, signed_text), 'seen')]
}

/** Names what is wrong with a text whose lines have the right values. */
function formOf(lines: RequestLines, signed_text: string): Cause {
  const [wanted, signed] = [textOf(lines).split('\n'), signed_text.split('\n')]
  if (signed.toSorted().join() === wanted.toSorted().join()) return 'lines_in_other_order'
  const inOneCase = (all: readonly string[]) => all.join('\n').toLowerCase()
  return inOneCase(signed) === inOneCase(wanted) ? 'labels_written_otherwise' : 'lines_joined_otherwise'
}

function isAddress(label: Label, value: string): boolean {
  return label === 'path' && /^https?:/.test(value)
}

const DIFFERS: Readonly<Record<Label, Cause>> = {
  'SVC-Access-Signature-Version': 'version_differs',
  method: 'method_differs',
  path: 'path_differs',
  query: 'query_differs',
  body_sha256: 'body_differs',
  timestamp: 'timestamp_differs',
  nonce: 'nonce_differs',
  key_id: 'key_id_differs',
  environment: 'environment_differs',
}

function signedLines(text: string): Partial<Record<Label, string>> {
  const pairs = text.split(/\r?\n/).map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, Math.max(colon, 0)), line.slice(colon + 1)] as const
  })
  return Object.fromEntries(pairs.filter(([label]) => (LABELS as readonly string[]).includes(label)))
}

function linesBeside(lines: RequestLines, signed_text: string | null) {
  const signed = signed_text === null ? null : signedLines(signed_text)
  return LABELS.map((label) => checkedLine(label, lines[label], signed === null ? null : (signed[label] ?? '')))
}

function clockFindings({ timestamp }: Headers, { server_time_ms = null }: RequestFacts): readonly Finding[] {
  if (server_time_ms === null || !/^\d{1,16}$/.test(timestamp)) return []
  const behind_ms = server_time_ms - Number(timestamp)
  const { timestamp_behind_ms, timestamp_ahead_ms } = SIGNED_REQUESTS
  if (behind_ms <= timestamp_behind_ms && -behind_ms <= timestamp_ahead_ms) return []
  const side = behind_ms > 0 ? `${behind_ms} ms behind` : `${-behind_ms} ms ahead of`
  return [finding('clock_differs', 'seen', `it is ${side} ${server_time_ms}`)]
}

/** Codes of what is refused before the signature is looked at. */
const OF_FORM: Readonly<Partial<Record<Cause, string>>> = {
  header_missing: 'AUTH_CREDENTIALS_INVALID',
  header_malformed: 'VALIDATION_REQUEST_MALFORMED',
}

function verdictOf(findings: readonly Finding[], matches: boolean | null) {
  if (findings.length > 0 || matches === false) return 'refused'
  return matches === true ? 'valid' : 'undecided'
}

/** Returns the code that the service answers: of the form first, then of the signature, then of the clock. */
function codeOf(findings: readonly Finding[], matches: boolean | null): string | null {
  const of_form = findings.map(({ cause }) => OF_FORM[cause]).find((code) => code !== undefined)
  if (of_form !== undefined) return of_form
  const of_time = findings.filter(({ cause }) => cause === 'clock_differs' || cause === 'timestamp_unit')
  if (matches === false || of_time.length < findings.length) return 'AUTH_CREDENTIALS_INVALID'
  return of_time.length > 0 ? 'AUTH_TIMESTAMP_OUT_OF_WINDOW' : null
}

function nextStep(findings: readonly Finding[], matches: boolean | null, facts: RequestFacts): string | null {
  const is_open = findings.some(({ cause, certainty }) => cause === 'other_key_or_text' && certainty === 'possible')
  if (is_open && facts.signed_text == null) return GIVE_TEXT
  if (findings.length > 0 || matches === false) return null
  if (matches) return facts.server_time_ms == null ? UNCHECKED_TIME : null
  const { hmac_step = COMPUTE } = facts
  if (facts.signed_text != null) return `the signed text is right; ${hmac_step}`
  return `give the text that you signed, or the public key of an ed25519 key; or ${hmac_step}`
}

const GIVE_TEXT = 'give --signed-text, the text that you signed: it shows the line that differs'

const UNCHECKED_TIME =
  'the time was not compared: give --server-time-ms, the service clock when the request arrived; it accepts 30 s behind to 5 s ahead'

/** Step that needs the secret, and so happens where it is. */
const COMPUTE =
  'compute HMAC-SHA-256 of the expected text with the 32 bytes of the secret, and compare it with the signature sent'
