import { type Clock, type Logger, LruMap, limits } from '../kernel/index.ts'

export type UseNotesOptions = { readonly clock: Clock; readonly logger: Logger }

/** Notes when something was last used, at most once in a while; nobody waits for it. */
export function useNotes(
  { clock, logger }: UseNotesOptions,
  write: (businessId: string, id: string, at: number) => Promise<unknown>,
) {
  const noted = new LruMap<string, number>(limits.accountCacheMax)
  return ({ businessId, id }: { businessId: string; id: string }): void => {
    const last = noted.get(id)
    if (last !== undefined && clock.elapsedMs() - last < limits.tokenUseNotedMs) return
    noted.set(id, clock.elapsedMs())
    write(businessId, id, clock.nowMs()).catch((error: unknown) => {
      logger.info({ err: error }, 'the use of a session or an API token was not noted')
    })
  }
}
