/** Returns the regular expression of ids with a prefix (itself an expression), in files, commands, requests and answers alike. */
export function idPattern(prefix: string): string {
  return `^${prefix}_[A-Za-z0-9_.-]{1,128}$`
}

/** Returns the shape of ids with a prefix, in words. */
export function idForm(prefix: string): string {
  return `${prefix}_ followed by 1 to 128 of [A-Za-z0-9_.-]`
}
