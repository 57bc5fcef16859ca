import mark from '../ui/millrace.svg'
import styles from './brand.module.css'

/** The name and the sign of Millrace. */
export function Brand() {
  return (
    <span className={styles.brand}>
      <img src={mark} alt="" width={24} height={24} />
      Millrace
    </span>
  )
}
