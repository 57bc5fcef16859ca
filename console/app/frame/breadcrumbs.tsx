import { Link, useMatches } from '@tanstack/react-router'
import { defineTexts, useTexts } from '../ui/texts.ts'
import styles from './frame.module.css'

const texts = defineTexts({
  label: ['Breadcrumbs', 'Pfad'],
})

/** The way to the page: each route above it that has a name. */
export function Breadcrumbs() {
  const t = useTexts(texts)
  const matches = useMatches()
  const crumbs = matches.flatMap(({ staticData, params, pathname }) => {
    const text = staticData.crumb?.(params)
    return text === undefined ? [] : [{ text, pathname }]
  })
  if (crumbs.length < 2) return null
  return (
    <nav aria-label={t.label}>
      <ol className={styles.crumbs}>
        {crumbs.map(({ text, pathname }, index) => (
          <li key={pathname} aria-current={index === crumbs.length - 1 ? 'page' : undefined}>
            {index === crumbs.length - 1 ? text : <Link to={pathname}>{text}</Link>}
          </li>
        ))}
      </ol>
    </nav>
  )
}
