import { useEffect } from 'react'

/**
 * Chooses the default once where nothing is chosen. It is kept like any choice: a list that puts
 * itself in another order does not change what the page shows.
 */
export function useDefault(
  chosen: string | undefined,
  preset: string | undefined,
  choose: (key: string) => void,
): void {
  useEffect(() => {
    if (chosen === undefined && preset !== undefined) choose(preset)
  }, [chosen, preset, choose])
}
