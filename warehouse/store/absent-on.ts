/** Creates a handler that answers an error of the system with a value, and throws every other one. */
export function absentOn<T>(code: string, value: T) {
  return (error: NodeJS.ErrnoException): T => {
    if (error.code === code) return value
    throw error
  }
}
