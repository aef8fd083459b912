import type { Usage } from "@sm/core";
import { formatCost } from "./format.ts";
import { t } from "./text.ts";

type Cost = Pick<Usage, "cost_usd" | "estimated_cost_usd">;

/** What something cost, with ≈ where a price list says some of it or all; `null` where it cost nothing or is not known. */
export function costText({ cost_usd, estimated_cost_usd }: Cost): string | null {
  const estimated = estimated_cost_usd ?? 0;
  const cost = (cost_usd ?? 0) + estimated;
  if (cost === 0) return null;
  return estimated === 0 ? formatCost(cost) : `≈ ${formatCost(cost)}`;
}

/** Says what of it is estimated; nothing where all is as the agent recorded it. */
export function costTitle({ cost_usd, estimated_cost_usd }: Cost): string | undefined {
  if ((estimated_cost_usd ?? 0) === 0) return undefined;
  const estimated = formatCost(estimated_cost_usd);
  if ((cost_usd ?? 0) === 0) return t("list.cost_estimated", { estimated });
  return t("list.cost_part_estimated", { estimated, recorded: formatCost(cost_usd) });
}
