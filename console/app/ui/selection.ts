import { useCallback, useMemo, useSyncExternalStore } from 'react'

/** The selection on the page. */
export type Selection = {
  readonly connector?: string | undefined
  readonly device?: string | undefined
  readonly asset?: string | undefined
  readonly solution?: string | undefined
  /** Of the connector: its log, its resources or its settings. */
  readonly view?: string | undefined
}

const names = ['connector', 'device', 'asset', 'solution', 'view'] as const
const changed = 'millrace:selection'

/**
 * What is chosen, kept behind the `#` of the address: a reload finds it, a link can carry it, and
 * it is never sent to the server. `choose` changes the part that it names.
 */
export function useSelection(): [Selection, (part: Selection) => void] {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash)
  const selection = useMemo(() => read(hash), [hash])
  const choose = useCallback((part: Selection) => {
    const next = { ...read(window.location.hash), ...part }
    window.history.replaceState(null, '', `#${write(next)}`)
    window.dispatchEvent(new Event(changed))
  }, [])
  return [selection, choose]
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  window.addEventListener(changed, listener)
  return () => {
    window.removeEventListener('hashchange', listener)
    window.removeEventListener(changed, listener)
  }
}

function read(hash: string): Selection {
  const found = new URLSearchParams(hash.slice(1))
  return Object.fromEntries(names.map((name) => [name, found.get(name) ?? undefined]))
}

function write(selection: Selection): string {
  const chosen = names.flatMap((name) => {
    const value = selection[name]
    return value === undefined ? [] : [[name, value]]
  })
  return new URLSearchParams(chosen).toString()
}
