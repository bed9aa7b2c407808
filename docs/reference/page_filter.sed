# For Doxygen: relative links of pages, which are those of the checkout, to names that it resolves.
s|](\(\.\./\)*cookbook\.md#\(recipe_[a-z_]*\))|](@ref \2)|g
s|](\(\.\./\)*include/\(genocl/[a-z_/]*\.hpp\))|](@ref \2)|g
s|](\.\./figures/|](figures/|g
s|](\.\./\([a-z-]*\.md\))|](\1)|g
