import { createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { levels, type StatusName } from '../../api/assets.ts'
import { partRoute } from '../../frame/part-route.ts'
import { currentLanguage, defineTexts } from '../../ui/texts.ts'

const templateTexts = defineTexts({
  title: ['Templates', 'Vorlagen'],
  one: ['Template', 'Vorlage'],
})

const nounRoute = partRoute('assets')

/** Which assets a list shows. */
export type AssetSearch = {
  /** Assets of this group and those below it. */
  readonly group?: string | undefined
  readonly text?: string | undefined
  readonly level?: StatusName | undefined
  /** Made of this template. */
  readonly template?: string | undefined
  /** From 1. */
  readonly page?: number | undefined
}

const listRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/',
  validateSearch: ({
    group,
    text,
    level,
    template,
    page,
  }: Record<string, unknown>): AssetSearch => {
    const known = levels.find((one) => one === level)
    return {
      ...(isText(group) && { group }),
      // A number in an address is read as one.
      ...((isText(text) || typeof text === 'number') && { text: `${text}` }),
      ...(known !== undefined && { level: known }),
      ...(isText(template) && { template }),
      ...(Number.isInteger(page) && Number(page) > 1 && { page: Number(page) }),
    }
  },
  component: lazyRouteComponent(() => import('./assets-page.tsx'), 'AssetsPage'),
})

const templatesRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/templates',
  staticData: { crumb: () => templateTexts[currentLanguage()].title },
  component: Outlet,
})

const templateListRoute = createRoute({
  getParentRoute: () => templatesRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./templates/templates-page.tsx'), 'TemplatesPage'),
})

const templateRoute = createRoute({
  getParentRoute: () => templatesRoute,
  path: '/$template/{-$view}',
  staticData: { crumb: () => templateTexts[currentLanguage()].one },
  component: lazyRouteComponent(() => import('./templates/template-page.tsx'), 'TemplatePage'),
})

const assetRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/$asset',
  component: Outlet,
})

const periods = ['1h', '24h', '7d', '30d', '365d'] as const
const unitChoices = ['own', 'metric', 'us'] as const
const aggregates = ['avg', 'min', 'max', 'sum', 'count'] as const

/** The contents of a plot. */
type PlotSearch = {
  /** Ids of signals, with commas between them. */
  readonly signals?: string | undefined
  /** Up to now. */
  readonly period?: (typeof periods)[number] | undefined
  /** A range instead: milliseconds since 1970. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly aggregate?: (typeof aggregates)[number] | undefined
  /** Draws the period before, too. */
  readonly compare?: true | undefined
  /** Left out: what this browser keeps for the type of the data. `own`: that of each signal. */
  readonly units?: (typeof unitChoices)[number] | undefined
}

const viewRoute = createRoute({
  getParentRoute: () => assetRoute,
  path: '/{-$view}',
  validateSearch: (found: Record<string, unknown>): PlotSearch => {
    const { signals, from, to, compare } = found
    const period = periods.find((one) => one === found.period)
    const aggregate = aggregates.find((one) => one === found.aggregate)
    const units = unitChoices.find((one) => one === found.units)
    const isRange = typeof from === 'number' && typeof to === 'number' && from < to
    return {
      ...(isText(signals) && { signals }),
      ...(period !== undefined && { period }),
      ...(isRange && { from, to }),
      ...(aggregate !== undefined && { aggregate }),
      ...(compare === true && { compare }),
      ...(units !== undefined && { units }),
    }
  },
  component: lazyRouteComponent(() => import('./asset-page.tsx'), 'AssetPage'),
})

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** `/assets`, templates, and an asset with its views. */
export const assetRoutes = nounRoute.addChildren([
  listRoute,
  templatesRoute.addChildren([templateListRoute, templateRoute]),
  assetRoute.addChildren([viewRoute]),
])
