/** SQLSTATE classes of connections, resources, operators and systems: the server or the way to it, and no statement of ours. */
const SERVER_STATE = /^(08|53|57|58)[0-9A-Z]{3}$/
/** Errors of the driver have no code. */
const DRIVER_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Returns whether a query failed because the database does not answer. A connection that is refused is not told apart from others. */
export function isDatabaseLost(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? SERVER_STATE.test(code) : DRIVER_TEXT.test(error.message)
}

/** Codes of a connection that cannot be made or is cut off, also through a socket file. */
const CONNECTION = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|ENOENT)/

/** Returns the same for work that has no other connections: one that is refused or cut off counts too. */
export function isDatabaseAway(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return isDatabaseLost(error) || (typeof code === 'string' && CONNECTION.test(code))
}

/** Returns whether a query failed by a fault of ours: SQLSTATE classes of statements and data. */
export function isOurFault(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return error instanceof TypeError || (typeof code === 'string' && /^(2[0-9]|3[0-9]|4[0-4])[0-9A-Z]{3}$/.test(code))
}
