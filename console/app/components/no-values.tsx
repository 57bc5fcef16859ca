import { useMay } from '../ui/session.tsx'
import { defineTexts, useTexts } from '../ui/texts.ts'
import { Icon } from './icon.tsx'
import styles from './next-step.module.css'

const texts = defineTexts({
  hidden: [
    'Your role does not show values here: it lacks the permission “View Asset Data”.',
    'Ihre Rolle zeigt hier keine Werte: Ihr fehlt das Recht „View Asset Data“.',
  ],
})

/** Returns whether the caller sees the values of signals, and what was made of them. */
export function useMaySeeValues(): boolean {
  return useMay('View Asset Data')
}

/** Stands where values would be, for who may not see them. */
export function NoValues() {
  const t = useTexts(texts)
  return (
    <p className={styles.hidden}>
      <Icon name="info" size={16} /> {t.hidden}
    </p>
  )
}
