import { useState } from 'react'
import type { Client } from '../../api/client.ts'
import { useChange } from '../../ui/change.ts'

type Versioned = { readonly version: number }

type Options<Draft> = {
  /** As it was read last. */
  readonly stored: Draft
  readonly isSame: (a: Draft, b: Draft) => boolean
  /** Saves what was edited of its version, and returns what is stored then. */
  readonly save: (client: Client, draft: Draft) => Promise<Draft>
  readonly onSaved?: (sent: Draft, saved: Draft) => void
}

/**
 * The draft of something with versions. Versions that others save are taken over until something
 * was changed; from then on they are two versions, of which one is chosen.
 */
export function useVersionedDraft<Draft extends Versioned>(options: Options<Draft>) {
  const { stored, isSame } = options
  const [base, setBase] = useState(stored)
  const [draft, setDraft] = useState(stored)
  const take = (next: Draft) => {
    setBase(next)
    setDraft(next)
  }
  const isChanged = !isSame(base, draft)
  const isNewer = stored.version > draft.version
  if (!isChanged && isNewer) take(stored)
  const { isBusy, error, run, reset } = useChange<Draft>(async (client, sent) => {
    const saved = await options.save(client, sent)
    take(saved)
    options.onSaved?.(sent, saved)
  })
  return {
    base,
    draft,
    isChanged,
    isBusy,
    error,
    /** True if somebody else saved a newer version than that which was changed. */
    isOutdated: isChanged && isNewer,
    edit: (next: Draft) => {
      reset()
      setDraft(next)
    },
    save: () => run(draft),
    /** Saves what is here in place of the newer version. */
    overwrite: () => run({ ...draft, version: stored.version }),
    discard: () => {
      reset()
      take(stored)
    },
  }
}
