import { useBlocker } from '@tanstack/react-router'

/** Asks before another page is opened, or this one closed, while something is not saved. */
export function useLeaveWarning(isChanged: boolean, question: string): void {
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      // Tabs of the same page keep what was typed.
      isChanged && current.routeId !== next.routeId && !window.confirm(question),
    enableBeforeUnload: isChanged,
  })
}
