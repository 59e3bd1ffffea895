/** What `read` gives; where it throws, `lost` is called and the refusal goes on to who quarantines it. */
export function orLost<T>(read: () => T, lost: () => void): T {
  try {
    return read()
  } catch (refusal) {
    lost()
    throw refusal
  }
}
