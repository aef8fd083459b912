import { oneLine } from "@sm/core";
import { formatMoment, formatTime } from "../i18n/format.ts";

const MAX_MODEL_LENGTH = 80;

interface RowHeadProps {
  name: string;
  timestamp: string | null;
  model: string | null;
}

/** Says who speaks, and when. */
export function RowHead({ name, timestamp, model }: RowHeadProps) {
  return (
    <header className="head">
      <h3>{name}</h3>
      {model !== null && <span className="model">{oneLine(model, MAX_MODEL_LENGTH)}</span>}
      {timestamp !== null && (
        <span className="meta">
          <time dateTime={timestamp} title={formatMoment(timestamp)}>
            {formatTime(timestamp)}
          </time>
        </span>
      )}
    </header>
  );
}
