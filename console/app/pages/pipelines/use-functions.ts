import { useQueries } from '@tanstack/react-query'
import { listFunctions } from '../../api/modules.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { type Draft, type Functions, functionKey } from './document.ts'

const everyMs = 8_000

/** The descriptions of all functions that are linked, and of a module that is chosen. */
export function useFunctions(
  draft: Draft,
  chosen: { readonly moduleId: string; readonly groupId: string } | undefined,
): Functions {
  const { client } = useSignedIn()
  const wanted = new Map<string, { moduleId: string; groupId: string }>()
  const of = draft.links.map(({ moduleId = '', groupId = '' }) => ({ moduleId, groupId }))
  for (const one of chosen === undefined ? of : [...of, chosen]) {
    wanted.set(`${one.moduleId}/${one.groupId}`, one)
  }
  const lists = useQueries({
    queries: [...wanted.values()].map(({ moduleId, groupId }) => ({
      queryKey: ['functions', moduleId, groupId],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        listFunctions(client, { moduleId, groupId: groupId || null }, signal),
      refetchInterval: everyMs,
    })),
  })
  const found = [...wanted.values()].flatMap(({ moduleId }, at) =>
    (lists[at]?.data?.functions ?? []).map(
      (one) => [functionKey({ moduleId, functionId: one.id }), one] as const,
    ),
  )
  return new Map(found)
}
