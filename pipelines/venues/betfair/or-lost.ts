/** Returns the result of `read`; if it throws, calls `lost` and rethrows for whoever quarantines it. */
export function orLost<T>(read: () => T, lost: () => void): T {
  try {
    return read()
  } catch (refusal) {
    lost()
    throw refusal
  }
}
