import type { Signs } from '../../protocol/examples/example.ts'

/** Operation of a form, as its page says. */
export type FormFacts = {
  readonly method: string
  /** With /v1, and {parameters}. */
  readonly path: string
  readonly scope: string | null
  readonly idempotent: boolean
  readonly signs: Signs | null
  readonly scopes: readonly string[]
}

/** Values of a form's inputs by name; those that are empty are left out of the request. */
export type FormValues = Readonly<Record<'path' | 'query', Readonly<Record<string, string>>>>

/** Returns path and query as they are sent and signed. */
export function targetOf(path: string, { path: of_path, query }: FormValues): string {
  // A tile of the log has slashes in its path.
  const filled = path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) =>
    encodeURIComponent(of_path[name] ?? '').replaceAll('%2F', '/'),
  )
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`
}

/** Fills the sender's own values into a body. @param unique  returns digits that were never used before, at each call */
export function filledBody(
  text: string,
  key: Readonly<Record<'account_id' | 'key_id' | 'environment', string>>,
  unique: () => string,
): string {
  return text
    .replaceAll('$ACCOUNT_ID', () => key.account_id)
    .replaceAll('$KEY_ID', () => key.key_id)
    .replaceAll('$ENVIRONMENT', () => key.environment)
    .replaceAll('$UNIQUE', unique)
}
