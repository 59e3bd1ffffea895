import { notAllowed } from '../../../primitives/errors.ts'
import { type SentRequest, targetOf } from './sent.ts'

/** Returns whether a text is a curl command line. */
export function isCurl(text: string): boolean {
  return /^\s*(\$ )?curl(\.exe)?\s/.test(text)
}

/** Options whose next word is their value, which no signature covers. */
const OTHER_VALUES = new Set(
  '-o --output -A --user-agent -e --referer -m --max-time -b --cookie -c --cookie-jar -w --write-out -u --user -x --proxy --connect-timeout --retry --cacert --cert --key --resolve --ciphers'.split(
    ' ',
  ),
)
const DATA = new Set(['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--json'])

/**
 * Reads a curl command as a shell splits it.
 * @param file_body  content of the file that holds the body; null: not given
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: no address, or a body that is in a file
 */
export function readCurl(text: string, file_body: string | null): SentRequest {
  const words = [...separated(shellWords(text.replace(/^\s*\$ /, '')).slice(1))]
  const headers: Record<string, string> = {}
  const data: string[] = []
  let [method, address, in_query] = [null as string | null, null as string | null, false]
  while (words.length > 0) {
    const word = words.shift()!
    const value = () => words.shift() ?? ''
    if (word === '-X' || word === '--request') method = value()
    else if (word === '-H' || word === '--header') addHeader(headers, value())
    else if (DATA.has(word)) data.push(dataOf(word, value(), file_body))
    else if (word === '--data-urlencode') throw notAllowed('VALIDATION_USAGE_INVALID', 'option', word, '--data-raw')
    else if (word === '-G' || word === '--get') in_query = true
    else if (word === '-I' || word === '--head') method ??= 'HEAD'
    else if (word === '--url') address = value()
    else if (OTHER_VALUES.has(word)) value()
    else if (!word.startsWith('-')) address ??= word
  }
  if (address === null) throw notAllowed('VALIDATION_USAGE_INVALID', 'curl', 'without an address', 'one address')
  const body = data.join('&')
  const target = targetOf(address)
  if (in_query && body !== '')
    return { method: method ?? 'GET', target: `${target}${target.includes('?') ? '&' : '?'}${body}`, headers, body: '' }
  return { method: method ?? (data.length > 0 ? 'POST' : 'GET'), target, headers, body }
}

/** Separates short options from values that are written onto them, such as `-XPOST`. */
function separated(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => (/^-[XHdoAembcwux]./.test(word) ? [word.slice(0, 2), word.slice(2)] : [word]))
}

function addHeader(headers: Record<string, string>, text: string): void {
  const colon = text.indexOf(':')
  if (colon > 0) headers[text.slice(0, colon).trim().toLowerCase()] = text.slice(colon + 1).trim()
}

function dataOf(option: string, value: string, file_body: string | null): string {
  if (!value.startsWith('@') || option === '--data-raw') return value
  if (file_body !== null) return file_body
  throw notAllowed('VALIDATION_USAGE_INVALID', option, value, 'the body itself, or the request with --body-file')
}

/** Splits a command line into words: quotes, `$'...'`, backslashes and continued lines. */
function shellWords(text: string): readonly string[] {
  const words: string[] = []
  const token = /\s+|\\\r?\n|\$'((?:\\[\s\S]|[^'\\])*)'|'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|\\([\s\S])|([^\s'"\\$]+|\$)/g
  let word: string | null = null
  for (const [whole, ansi, single, double, escaped, plain] of text.matchAll(token)) {
    if (/^(\s+|\\\r?\n)$/.test(whole)) {
      if (word !== null) words.push(word)
      word = null
      continue
    }
    const part: string | undefined =
      ansi === undefined ? (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain) : ansiText(ansi)
    word = (word ?? '') + (part ?? '')
  }
  return word === null ? words : [...words, word]
}

const ANSI: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

function ansiText(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S])/g, (_, code: string) =>
    code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ANSI[code] ?? code),
  )
}
