import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { levels, type StatusName } from '../../api/assets.ts'
import type { ConditionState } from '../../api/conditions.ts'
import { frameRoute } from '../../frame/frame-route.tsx'

const states: readonly ConditionState[] = ['open', 'acknowledged', 'cleared']

/** Which conditions a list shows. */
export type ConditionSearch = {
  readonly level?: StatusName | undefined
  readonly state?: ConditionState | undefined
  /** From 1. */
  readonly page?: number | undefined
}

/** `/conditions`: those of all assets. */
export const conditionRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/conditions',
  validateSearch: ({ level, state, page }: Record<string, unknown>): ConditionSearch => {
    const knownLevel = levels.find((one) => one === level)
    const knownState = states.find((one) => one === state)
    return {
      ...(knownLevel !== undefined && { level: knownLevel }),
      ...(knownState !== undefined && { state: knownState }),
      ...(Number.isInteger(page) && Number(page) > 1 && { page: Number(page) }),
    }
  },
  component: lazyRouteComponent(() => import('./conditions-page.tsx'), 'ConditionsPage'),
})
