#pragma once

// Requirements on the sensitive values of a group. A group has counts c_v of the values v, m in all; what it is compared
// with, the rows of its controller or of the table, has counts C_v, N in all. Meanings, proofs and use:
// docs/algorithms/requirements.md

#include "privacy/requirement_entry.h"

namespace tada {

/// `--closeness [COLUMN=]T[:equal|ordered|hierarchy]`: t-closeness (Li, Li, Venkatasubramanian 2007). The least work to turn
/// the group's distribution into the other (earth mover's distance) is at most T. Moving a share costs, by kind,
///   equal       1.
///   ordered     the difference of the values' ranks / (number of values - 1).
///   hierarchy   the level at which the values meet / number of levels.
RequirementEntry ClosenessEntry();

/// `--likeness [COLUMN=]B[:basic|enhanced]`: beta-likeness (Cao, Karras 2012), N c <= (1 + B) m C for every value; enhanced, the
/// default: with the smaller of B and -ln(C/N).
RequirementEntry LikenessEntry();

/// `--disclosure [COLUMN=]D`: delta-disclosure (Brickell, Shmatikov 2008), e^-D m C < N c < e^D m C for every value of the
/// reference.
RequirementEntry DisclosureEntry();

/// `--alpha [COLUMN=]A[:values]`: (alpha,k)-anonymity (Wong et al. 2006), c <= A m for every value, or for those named.
RequirementEntry AlphaEntry();

/// `--spread [COLUMN=]E[:range|variance]`: numbers of a group are spread out, max - min >= E ((k,e)-anonymity, Zhang et al. 2007)
/// or variance >= E.
RequirementEntry SpreadEntry();

/// `--reference controller|table`: whose distribution that is.
RequirementEntry ReferenceEntry();

}  // namespace tada
