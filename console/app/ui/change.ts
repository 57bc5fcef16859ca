import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Client } from '../api/client.ts'
import { useSignedIn } from './session.tsx'

/** A change by the operator: its state, and the function that starts it. */
export type Change<Wanted> = {
  readonly isBusy: boolean
  /** Why the last try was refused. */
  readonly error: Error | null
  /** @param onDone called when it is done; not where it is refused. */
  readonly run: (wanted: Wanted, onDone?: () => void) => void
  /** Removes the error. */
  readonly reset: () => void
}

/** After it, refused or not, everything that the page shows is read anew. */
export function useChange<Wanted>(
  work: (client: Client, wanted: Wanted) => Promise<unknown>,
): Change<Wanted> {
  const { client } = useSignedIn()
  const queries = useQueryClient()
  const { mutate, isPending, error, reset } = useMutation<unknown, Error, Wanted>({
    mutationFn: (wanted) => work(client, wanted),
    networkMode: 'always',
    onSettled: () => queries.invalidateQueries(),
  })
  return {
    isBusy: isPending,
    error,
    run: (wanted, onDone) => mutate(wanted, { onSuccess: () => onDone?.() }),
    reset,
  }
}
