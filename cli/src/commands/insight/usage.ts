import { UsageError } from '../../command.ts'

/** Runs a command of the SDK, which throws TypeError for words that it cannot use. */
export async function asUsage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error
  }
}
